import { useQuery } from '@tanstack/react-query'
import { FormattedMessage, useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { queryStadiumByCountryRegionId } from '../../../contract/api/racing.ts'
import { useRegion } from '../../data/use-region.ts'
import { isPlaced, StadiumMap } from '../../features/location/stadium-map.tsx'
import { useSetParam } from '../../ui/behaviour/use-set-param.ts'
import { OneOf } from '../../ui/fields/choices.tsx'
import { ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { LinkButton, Stack } from '../../ui/layout.tsx'
import { queryFor } from '../../data/client/call.ts'

/** Selects one of the region's racecourses on the map; those without a place are in a list. */
export function ChooseLocationScreen() {
  const { locale } = useIntl()
  const { region } = useRegion()
  const [params] = useSearchParams()
  const setParam = useSetParam()
  const stadiums = useQuery({
    ...queryFor(queryStadiumByCountryRegionId, region && { countryRegionId: region.id }, locale),
    staleTime: 1_200_000,
    retry: 1,
  })
  const chosen = params.get('id')
  // The map names the others.
  const unplaced = (stadiums.data ?? []).filter((stadium) => !isPlaced(stadium))
  const choose = (id: string): void => setParam('id', id)
  return (
    <Stack>
      <FormattedMessage id="title.chooseLocation" tagName="h1" />
      {stadiums.error ? <ErrorNotice error={stadiums.error} onRetry={() => void stadiums.refetch()} /> : null}
      {stadiums.data && region ? (
        <>
          {unplaced.length === 0 ? null : (
            <OneOf
              legend={<FormattedMessage id="record.stadium" />}
              value={chosen ?? ''}
              choices={unplaced.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={choose}
            />
          )}
          {chosen === null ? null : (
            <LinkButton to={`/pages/common/open-location?id=${chosen}`} text="location.open" />
          )}
          <StadiumMap regionId={region.id} stadiums={stadiums.data} chosen={chosen} onChoose={choose} />
        </>
      ) : stadiums.error ? null : (
        <Skeleton height={420} />
      )}
    </Stack>
  )
}
