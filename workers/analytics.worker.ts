import { expose } from 'comlink'
import { Engine } from './engine/engine.ts'

expose(new Engine())
