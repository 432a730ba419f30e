/** Maximum number of characters of a message to the operator. */
export const MAX_MESSAGE = 2000
