/**
 * Writes `src/features/location/outline.json`: the land around the racecourses of each region, cut out of Natural Earth
 * (public domain) as packaged in world-atlas. Run manually when a region is added: `node tools/outline-map.mjs`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { feature } from 'topojson-client'

/** West, south, east, north in degrees, and the scale of the source. */
const AREAS = [
  { regionId: '100000', box: [113.2, 22.05, 114.7, 23.85], scale: '10m' },
  { regionId: '100036', box: [150.4, -34.4, 151.7, -33.4], scale: '10m' },
  { regionId: '100840', box: [-126, 23, -66, 50], scale: '50m' },
  { regionId: 'world', box: [-180, -60, 180, 85], scale: '110m' },
]

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** Clips a ring at one side of a box (Sutherland and Hodgman 1974). */
function cut(ring, inside, crossing) {
  return ring.flatMap((point, index) => {
    const before = ring[(index + ring.length - 1) % ring.length]
    const there = inside(point)
    if (there === inside(before)) return there ? [point] : []
    return there ? [crossing(before, point), point] : [crossing(before, point)]
  })
}

function clip(ring, [west, south, east, north]) {
  const at = (axis, value) => (from, to) => {
    const share = (value - from[axis]) / (to[axis] - from[axis])
    return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
  }
  let kept = cut(ring, ([x]) => x >= west, at(0, west))
  kept = cut(kept, ([x]) => x <= east, at(0, east))
  kept = cut(kept, ([, y]) => y >= south, at(1, south))
  return cut(kept, ([, y]) => y <= north, at(1, north))
}

const rings = ({ geometry }) => (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates)

const areas = AREAS.map(({ regionId, box, scale }) => {
  const atlas = JSON.parse(readFileSync(path(`node_modules/world-atlas/land-${scale}.json`), 'utf8'))
  const digits = scale === '10m' ? 3 : scale === '50m' ? 2 : 1
  const land = feature(atlas, atlas.objects.land)
    .features.flatMap(rings)
    .flatMap((polygon) => {
      const outer = clip(polygon[0].slice(0, -1), box)
      return outer.length < 3
        ? []
        : [outer.map((point) => point.map((value) => Number(value.toFixed(digits))))]
    })
  return { regionId, box, land }
})
writeFileSync(path('../src/features/location/outline.json'), `${JSON.stringify({ areas })}\n`)
