import type { NetworkCard } from '../../contract/api/model.ts'
import type { NetworkModel } from '../model/models/network-model.ts'
import { ABLATION } from './ablation.ts'

/** What a card says of a version's network; `null` without one. */
export const networkCard = (regionId: string, network: NetworkModel | null): NetworkCard | null =>
  network && {
    offset: network.offset,
    networks: network.parameters.length,
    trees: network.trees.length,
    jockeys: network.jockeys.length,
    trainers: network.trainers.length,
    ablation: regionId === ABLATION.regionId ? ABLATION.spans : [],
  }
