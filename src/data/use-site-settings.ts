import { useQuery } from '@tanstack/react-query'
import { configAll, getDictItems } from '../../contract/api/site.ts'
import { storedQueryFor } from './client/response-cache.ts'

const byCode = (items: readonly { code: string; codeValue: string }[]): ReadonlyMap<string, string> =>
  new Map(items.map(({ code, codeValue }) => [code, codeValue]))

/** The site's settings by code; from the last visit if there is no connection. */
export const useConfig = () =>
  useQuery({ ...storedQueryFor('_configAll', configAll, {}), select: byCode, retry: 1 })

/** Items of a dictionary in a language. */
export const useDictionary = (dictCode: string, language: string) =>
  useQuery(storedQueryFor(`_dict ${dictCode} ${language}`, getDictItems, { dictCode }, language))
