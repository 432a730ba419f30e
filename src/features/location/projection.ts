interface Area {
  regionId: string
  /** West, south, east, north in degrees. */
  box: number[]
  land: number[][][]
}

const WORLD = 'world'

/** The area that shows a region; the world for one without its own. */
export const areaFor = (areas: readonly Area[], regionId: string): Area =>
  areas.find((area) => area.regionId === regionId) ?? areas.find((area) => area.regionId === WORLD)!

/**
 * Degrees to pixels of a map so many pixels wide: equirectangular, true at the middle parallel, which is within the
 * width of a line over a map of one region.
 */
export function projectTo(
  [west = 0, south = 0, east = 0, north = 0]: readonly number[],
  width: number,
): { height: number; project(longitude: number, latitude: number): [number, number] } {
  const scale = width / (east - west)
  const stretch = 1 / Math.cos((((south + north) / 2) * Math.PI) / 180)
  return {
    height: Math.round((north - south) * scale * stretch),
    project: (longitude, latitude) => [
      Math.round((longitude - west) * scale * 10) / 10,
      Math.round((north - latitude) * scale * stretch * 10) / 10,
    ],
  }
}

/** Address that the device's own map program opens (RFC 5870). */
export const geoUrl = (latitude: number, longitude: number, name: string): string =>
  `geo:${latitude},${longitude}?q=${latitude},${longitude}(${encodeURIComponent(name)})`
