import { expose } from 'comlink'
import { Lab } from './lab/lab.ts'

expose(new Lab())
