interface Area {
  regionId: string
  /** West, south, east, north in degrees. */
  box: number[]
  land: number[][][]
}

const WORLD = 'world'

/** The area that shows a region; the world if the region has none. */
export const areaFor = (areas: readonly Area[], regionId: string): Area =>
  areas.find((area) => area.regionId === regionId) ?? areas.find((area) => area.regionId === WORLD)!

/**
 * Projects degrees to pixels of a map of the given width: equirectangular, exact at the middle parallel; for
 * one region the error is within the width of a line.
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

/** URL that the device's map application opens (RFC 5870). */
export const geoUrl = (latitude: number, longitude: number, name: string): string =>
  `geo:${latitude},${longitude}?q=${latitude},${longitude}(${encodeURIComponent(name)})`
