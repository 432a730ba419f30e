import { setImmediate as nextTurn } from 'node:timers/promises'
import { seededRandom } from '../../../domain/random.ts'
import { softmax, type FieldData } from './field-data.ts'
import type { Tree } from './tree.ts'

export interface BoostSettings {
  trees: number
  leaves: number
  rate: number
  /** Minimum curvature in a leaf, and the ridge added to it against rare cases. */
  leastCurvature: number
  ridge: number
  /** Share of the columns by which each tree may split. */
  columnShare: number
}

/** Chosen by `score choose` on the tuning seasons (docs/decisions/011-model-settings.md). */
export const BOOST: BoostSettings = {
  trees: 0,
  leaves: 4,
  rate: 0.06,
  leastCurvature: 60,
  ridge: 30,
  columnShare: 0.5,
}

const BINS = 48

/** Upper edges of a column's bins: quantiles of its values, at most `BINS`. */
function edgesOf({ values, width }: FieldData, column: number): number[] {
  const rows = values.length / width
  const sample = Float64Array.from({ length: rows }, (_, row) => values[row * width + column]!).sort()
  const edges: number[] = []
  for (let bin = 1; bin < BINS; bin += 1) {
    const edge = sample[Math.floor((bin * (rows - 1)) / BINS)]!
    if (edges.length === 0 || edge > edges.at(-1)!) edges.push(edge)
  }
  return edges
}

/** Bin of every value, column by column. */
function binned(data: FieldData, edges: readonly number[][]): Uint8Array {
  const { values, width } = data
  const rows = values.length / width
  const bins = new Uint8Array(rows * width)
  for (let column = 0; column < width; column += 1) {
    const list = edges[column]!
    for (let row = 0; row < rows; row += 1) {
      const value = values[row * width + column]!
      let low = 0
      let high = list.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (value <= list[middle]!) high = middle
        else low = middle + 1
      }
      bins[column * rows + row] = low
    }
  }
  return bins
}

/** Gradient and curvature of the ranking likelihood of the first two, row by row. */
function slopes(data: FieldData, scores: Float64Array, slope: Float64Array, curvature: Float64Array): void {
  const { starts, first, second } = data
  const shares = new Float64Array(scores.length)
  slope.fill(0)
  curvature.fill(0)
  for (let race = 0; race < first.length; race += 1) {
    const winner = first[race]!
    if (winner < 0) continue
    const from = starts[race]!
    const to = starts[race + 1]!
    for (const [chosen, gone] of [
      [winner, -1],
      [second[race]!, winner],
    ] as const) {
      if (chosen < 0) continue
      softmax(scores, from, to, shares, gone)
      for (let row = from; row < to; row += 1) {
        const share = shares[row]!
        slope[row]! += (row === chosen ? 1 : 0) - share
        curvature[row]! += share * (1 - share)
      }
    }
  }
}

interface Leaf {
  node: number
  rows: Int32Array
  histogram: Float64Array
  slope: number
  curvature: number
  split: { gain: number; column: number; bin: number } | null
}

/**
 * Gradient boosting (Friedman 2001, with second-order leaves) of the same ranking likelihood as the logit, on
 * top of `offset`: it can only add interactions and curves. Deterministic: columns are drawn with a seeded
 * generator. Yields to other work between trees.
 */
export async function fitBoostedTrees(
  data: FieldData,
  offset: Float64Array,
  settings: BoostSettings,
): Promise<Tree[]> {
  // Sorting and binning every column takes seconds for ten seasons.
  if (settings.trees === 0) return []
  const { width } = data
  const rows = data.values.length / width
  const edges = Array.from({ length: width }, (_, column) => edgesOf(data, column))
  const bins = binned(data, edges)
  const scores = offset.slice()
  const slope = new Float64Array(rows)
  const curvature = new Float64Array(rows)
  const everyRow = Int32Array.from({ length: rows }, (_, row) => row)
  const random = seededRandom(rows)
  const trees: Tree[] = []
  for (let index = 0; index < settings.trees; index += 1) {
    slopes(data, scores, slope, curvature)
    const columns = [...edges.keys()].filter(
      (column) => edges[column]!.length > 0 && random() < settings.columnShare,
    )
    const grown = grow({ bins, rows, columns, edges, slope, curvature }, everyRow, settings)
    for (const { node, rows: members } of grown.leaves) {
      const value = grown.tree.value[node]!
      for (const row of members) scores[row]! += value
    }
    trees.push(grown.tree)
    await nextTurn()
  }
  return trees
}

interface Binned {
  bins: Uint8Array
  rows: number
  columns: readonly number[]
  edges: readonly number[][]
  slope: Float64Array
  curvature: Float64Array
}

function grow(data: Binned, everyRow: Int32Array, settings: BoostSettings): { tree: Tree; leaves: Leaf[] } {
  const tree: Tree = { column: [], threshold: [], left: [], right: [], value: [] }
  const addNode = (): number => {
    tree.column.push(-1)
    tree.threshold.push(0)
    tree.left.push(-1)
    tree.right.push(-1)
    tree.value.push(0)
    return tree.column.length - 1
  }
  const makeLeaf = (rows: Int32Array, histogram: Float64Array): Leaf => {
    let slope = 0
    let curvature = 0
    for (const row of rows) {
      slope += data.slope[row]!
      curvature += data.curvature[row]!
    }
    const leaf: Leaf = { node: addNode(), rows, histogram, slope, curvature, split: null }
    leaf.split = bestSplit(data, leaf, settings)
    return leaf
  }
  let leaves = [makeLeaf(everyRow, histogramOf(data, everyRow))]
  while (leaves.length < settings.leaves) {
    const splittable = leaves.filter(({ split }) => split !== null)
    if (splittable.length === 0) break
    const best = splittable.reduce((a, b) => (b.split!.gain > a.split!.gain ? b : a))
    const { column, bin } = best.split!
    const offset = column * data.rows
    const goesLeft = best.rows.filter((row) => data.bins[offset + row]! <= bin)
    const goesRight = best.rows.filter((row) => data.bins[offset + row]! > bin)
    // The larger side's histogram is the parent's minus the smaller side's.
    const small = goesLeft.length <= goesRight.length ? goesLeft : goesRight
    const smallHistogram = histogramOf(data, small)
    const largeHistogram = best.histogram.map((value, index) => value - smallHistogram[index]!)
    const left = makeLeaf(goesLeft, goesLeft === small ? smallHistogram : largeHistogram)
    const right = makeLeaf(goesRight, goesRight === small ? smallHistogram : largeHistogram)
    tree.column[best.node] = column
    tree.threshold[best.node] = data.edges[column]![bin]!
    tree.left[best.node] = left.node
    tree.right[best.node] = right.node
    leaves = [...leaves.filter((leaf) => leaf !== best), left, right]
  }
  for (const { node, slope, curvature } of leaves) {
    tree.value[node] = (settings.rate * slope) / (curvature + settings.ridge)
  }
  return { tree, leaves }
}

/** Sums of gradient and curvature by selected column and bin. */
function histogramOf({ bins, rows, columns, slope, curvature }: Binned, members: Int32Array): Float64Array {
  const sums = new Float64Array(columns.length * BINS * 2)
  for (const [index, column] of columns.entries()) {
    const offset = column * rows
    const base = index * BINS * 2
    for (let member = 0; member < members.length; member += 1) {
      const row = members[member]!
      const at = base + bins[offset + row]! * 2
      sums[at]! += slope[row]!
      sums[at + 1]! += curvature[row]!
    }
  }
  return sums
}

function bestSplit(data: Binned, leaf: Leaf, { ridge, leastCurvature }: BoostSettings): Leaf['split'] {
  let best: Leaf['split'] = null
  const whole = leaf.slope ** 2 / (leaf.curvature + ridge)
  for (const [index, column] of data.columns.entries()) {
    const base = index * BINS * 2
    const last = data.edges[column]!.length
    let slope = 0
    let curvature = 0
    for (let bin = 0; bin < last; bin += 1) {
      slope += leaf.histogram[base + bin * 2]!
      curvature += leaf.histogram[base + bin * 2 + 1]!
      const other = leaf.curvature - curvature
      if (curvature < leastCurvature || other < leastCurvature) continue
      const gain = slope ** 2 / (curvature + ridge) + (leaf.slope - slope) ** 2 / (other + ridge) - whole
      if (gain > 1e-9 && (best === null || gain > best.gain)) best = { gain, column, bin }
    }
  }
  return best
}

/** The sum of the trees' values for each row. */
export function treeScores(
  trees: readonly Tree[],
  { values, width }: Pick<FieldData, 'values' | 'width'>,
): Float64Array {
  const rows = values.length / width
  const scores = new Float64Array(rows)
  for (const { column, threshold, left, right, value } of trees) {
    for (let row = 0; row < rows; row += 1) {
      let node = 0
      while (column[node]! >= 0) {
        node = values[row * width + column[node]!]! <= threshold[node]! ? left[node]! : right[node]!
      }
      scores[row]! += value[node]!
    }
  }
  return scores
}
