/** A battery as browsers that have the Battery Status API describe it. */
interface Battery {
  charging: boolean
  level: number
}

/** Share of the battery's charge from which work ahead of need is left out. */
const LOW = 0.2

/** Whether the device saves data or power, as far as the browser tells: then nothing is computed ahead of need. */
export async function isSaving(): Promise<boolean> {
  const { connection, getBattery } = navigator as Navigator & {
    connection?: { saveData?: boolean }
    getBattery?: () => Promise<Battery>
  }
  if (connection?.saveData === true) return true
  try {
    const battery = await getBattery?.call(navigator)
    return battery !== undefined && !battery.charging && battery.level <= LOW
  } catch {
    return false
  }
}
