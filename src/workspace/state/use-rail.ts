import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Filter } from '../../../analytics/filter.ts'
import { groupOf, readRail, writeRail, type RailGroup } from './rail-groups.ts'

/** Facets whose values are expanded initially. */
const FIRST_FACETS = ['racecourse', 'going', 'distance']
const NO_FACETS: readonly string[] = []

/** What is open in the filters beside the page. */
export interface RailState {
  groups: readonly RailGroup[]
  /** Dimensions whose values are expanded, also those in groups that are closed. */
  facets: readonly string[]
  onGroup(group: RailGroup): void
  /** Expands or collapses a dimension; one in a closed group is expanded, and the group opened. */
  onFacet(dim: string): void
}

const toggledIn = <Each>(list: readonly Each[], each: Each): readonly Each[] =>
  list.includes(each) ? list.filter((other) => other !== each) : [...list, each]

/**
 * The filters as they are open, which this device remembers but for the expanded dimensions. `filter`: the selection with
 * which the page opens. `listed`: dimensions whose values are in view, none while the filters are shut.
 */
export function useRail(filter: Filter | null, wide: boolean) {
  const [first] = useState(() => readRail(filter))
  const [shut, setShut] = useState(first.shut)
  const [groups, setGroups] = useState(first.groups)
  const [facets, setFacets] = useState<readonly string[]>(FIRST_FACETS)
  useEffect(() => {
    if (shut !== first.shut || groups !== first.groups) writeRail({ shut, groups })
  }, [shut, groups, first])
  const onGroup = useCallback((group: RailGroup) => setGroups((open) => toggledIn(open, group)), [])
  const onFacet = useCallback(
    (dim: string) => {
      const isIn = groups.includes(groupOf(dim))
      if (!isIn) setGroups((open) => [...open, groupOf(dim)])
      setFacets((open) => (isIn ? toggledIn(open, dim) : [...new Set([...open, dim])]))
    },
    [groups],
  )
  const rail = useMemo(
    (): RailState => ({ groups, facets, onGroup, onFacet }),
    [groups, facets, onGroup, onFacet],
  )
  const listed = useMemo(
    () => (wide && shut ? NO_FACETS : facets.filter((dim) => groups.includes(groupOf(dim)))),
    [wide, shut, facets, groups],
  )
  return { rail, listed, shut, setShut }
}
