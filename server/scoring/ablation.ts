import type { NetworkCard } from '../../contract/api/model.ts'

/**
 * What parts of the network are worth: recorded from `npm run bench -- ablation` on ten Hong Kong seasons
 * (docs/decisions/032-network.md) with 0.9 times the linear scores, because each part left out takes as long as training.
 */
export const ABLATION: { regionId: string; spans: NetworkCard['ablation'] } = {
  regionId: '100000',
  spans: [
    {
      seasons: [2017, 2018, 2019],
      races: 2369,
      rows: [
        { part: 'linear', r2: 0.1639, above: null },
        { part: 'figures', r2: 0.1641, above: { gain: 0.0002, interval: { low: -0.0013, high: 0.0017 } } },
        { part: 'people', r2: 0.1647, above: { gain: 0.0008, interval: { low: -0.0007, high: 0.0023 } } },
        { part: 'context', r2: 0.1648, above: { gain: 0.0009, interval: { low: -0.0008, high: 0.0025 } } },
        { part: 'whole', r2: 0.1657, above: { gain: 0.0018, interval: { low: 0.0001, high: 0.0034 } } },
      ],
    },
    {
      seasons: [2020, 2021, 2022, 2023, 2024],
      races: 4167,
      rows: [
        { part: 'linear', r2: 0.1487, above: null },
        { part: 'figures', r2: 0.1515, above: { gain: 0.0028, interval: { low: 0.0017, high: 0.004 } } },
        { part: 'people', r2: 0.1528, above: { gain: 0.0041, interval: { low: 0.0026, high: 0.0057 } } },
        { part: 'context', r2: 0.1527, above: { gain: 0.0041, interval: { low: 0.0028, high: 0.0054 } } },
        { part: 'whole', r2: 0.1542, above: { gain: 0.0056, interval: { low: 0.0039, high: 0.0072 } } },
      ],
    },
  ],
}
