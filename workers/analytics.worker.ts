import { expose } from 'comlink'
import { Door } from './engine/door.ts'

expose(new Door())
