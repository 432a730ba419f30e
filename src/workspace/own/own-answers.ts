import { keepPreviousData } from '@tanstack/react-query'

/** How answers of the own data's worker are asked: once each, without a connection too; the one before stays on screen. */
export const ownAnswers = {
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  placeholderData: keepPreviousData,
} as const
