interface Start {
  /** Everything that the server had printed when it was ready or, the first time, when it ended. */
  printed: string
  base: string
  /** The status of `/readyz`. */
  ready: number
}

/** What `start-server.ts` tells `first-start.spec.ts` about its two starts. */
export interface Starts {
  /** The port that the first was asked to use, and that another program had. */
  taken: number
  first: Start & { exit: number | null }
  /** `port` is the one that it was asked to use. */
  second: Start & { port: number }
}
