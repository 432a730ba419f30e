import { baseUrl } from '../../data/client/api-client.ts'

export interface Shared {
  url: string
  text: string
}

interface Target {
  /** A proper name, or `email`. */
  name: string
  href: string
  mark: string | null
}

/** The link to the landing page, with the id of the sharing customer. */
export function shareUrl(sharerId: string | null): string {
  const query = sharerId === null ? '' : `?${new URLSearchParams({ shareby: sharerId })}`
  return `${baseUrl()}#/pages/foot/foothome${query}`
}

/** Services that share by a URL (decisions section 9). */
export function shareTargets({ url, text }: Shared): readonly Target[] {
  const query = (values: Record<string, string>): string => new URLSearchParams(values).toString()
  return [
    { name: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?${query({ u: url })}`, mark: 'f' },
    { name: 'X', href: `https://twitter.com/intent/tweet?${query({ url, text })}`, mark: 'X' },
    { name: 'WhatsApp', href: `https://wa.me/?${query({ text: `${text} ${url}` })}`, mark: 'W' },
    {
      name: 'LinkedIn',
      href: `https://www.linkedin.com/sharing/share-offsite/?${query({ url })}`,
      mark: 'in',
    },
    {
      name: 'email',
      // Mail programs do not decode a plus sign as a space.
      href: `mailto:?subject=${encodeURIComponent(text)}&body=${encodeURIComponent(`${text}\n${url}`)}`,
      mark: null,
    },
  ]
}
