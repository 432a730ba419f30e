import { expose } from 'comlink'
import { Console } from './console/console.ts'

expose(new Console())
