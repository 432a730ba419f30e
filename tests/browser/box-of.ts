import { expect, type Locator } from '@playwright/test'

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

/** Where an element is, once it is there: a chart takes the place of what stood for it until it was drawn. */
export async function boxOf(locator: Locator): Promise<Box> {
  let box: Box | null = null
  await expect.poll(async () => (box = await locator.boundingBox())).not.toBeNull()
  return box!
}
