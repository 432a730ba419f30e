/** Latitude and longitude of racecourses in degrees (WGS 84). */
const PLACES: Readonly<Record<string, readonly [number, number]>> = {
  HKSHT: [22.4004, 114.2039],
  HKHAV: [22.2726, 114.1817],
  HKCON: [23.6206, 113.6806],
  AURND: [-33.9106, 151.2306],
  AUROS: [-33.8253, 151.0247],
  USAPX: [42.0936, -88.0106],
  USBEL: [40.7148, -73.7221],
  USCDX: [38.2028, -85.7703],
  USGPX: [25.9783, -80.1387],
  USMTH: [40.3122, -74.0208],
  USPHA: [40.1206, -74.9531],
}

/** Coordinates of a stadium id; `null` if unknown. From public maps, accurate to about 50 m. */
export function placeOfStadium(stadiumId: string): { latitude: number; longitude: number } | null {
  const known = PLACES[stadiumId]
  return known === undefined ? null : { latitude: known[0], longitude: known[1] }
}
