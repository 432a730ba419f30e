/**
 * What a build must do: another major or minor than the server's asks for a full update, a lower patch for a silent one
 * (decisions section 8). Versions are `major.minor.patch`.
 */
export function updateKind(installed: string, current: string): 'none' | 'silent' | 'full' {
  const [major, minor, patch = 0] = installed.split('.').map(Number)
  const [newMajor, newMinor, newPatch = 0] = current.split('.').map(Number)
  if (major !== newMajor || minor !== newMinor) return 'full'
  return patch < newPatch ? 'silent' : 'none'
}
