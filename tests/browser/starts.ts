interface Start {
  /** Everything that the server had printed when it was ready or, the first time, when it ended. */
  printed: string
  base: string
  /** The status of `/readyz`. */
  ready: number
}

/** What `start-server.ts` tells `first-start.spec.ts` about its two starts. */
export interface Starts {
  /** The port that both were asked to use; another program had it the first time. */
  port: number
  first: Start & { exit: number | null }
  second: Start
}
