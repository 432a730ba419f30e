/**
 * The address that the web view may show: one on our own site, or on a host that the operator listed.
 * `null` for everything else: another scheme, another host, another port of a listed one,
 * credentials, or not a valid address.
 */
export function webAddress(text: string | null, base: string, listedHosts: readonly string[]): string | null {
  if (text === null || text === '') return null
  let url: URL
  try {
    url = new URL(text, base)
  } catch {
    return null
  }
  if (url.username !== '' || url.password !== '') return null
  if (url.origin === new URL(base).origin && /^https?:$/.test(url.protocol)) return url.href
  const isListed = url.protocol === 'https:' && url.port === '' && listedHosts.includes(url.hostname)
  return isListed ? url.href : null
}
