export function installedPackages(): string[]
export function licenceTexts(folders: readonly string[]): string
