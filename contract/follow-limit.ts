/** Maximum that a customer follows, of all kinds and regions together. */
export const MAX_FOLLOWS = 500
