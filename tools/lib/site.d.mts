export const SITE: string
export function buildEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv
export function buildSite(): void
