import { expose } from 'comlink'
import { Own } from './own/own.ts'

expose(new Own())
