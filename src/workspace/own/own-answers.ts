import { keepPreviousData } from '@tanstack/react-query'

/**
 * Query options for the own-data worker: each result is computed once, needs no connection, and stays on
 * screen until the next one arrives.
 */
export const ownAnswers = {
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  placeholderData: keepPreviousData,
} as const
