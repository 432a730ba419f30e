import { useQuery } from '@tanstack/react-query'
import { MapPin, MapPinOff } from 'lucide-react'
import { FormattedMessage, useIntl } from 'react-intl'
import { useSearchParams } from 'react-router-dom'
import { regionOfStadium } from '../../../domain/region.ts'
import { queryStadiumByCountryRegionId } from '../../../contract/api/racing.ts'
import { useRegion } from '../../data/use-region.ts'
import { geoUrl, StadiumMap } from '../../features/location/stadium-map.tsx'
import { useFormat } from '../../i18n/format.ts'
import { Empty, ErrorNotice, Skeleton } from '../../ui/panel.tsx'
import { Facts, LinkButton, Stack } from '../../ui/layout.tsx'
import { queryFor } from '../../data/client/call.ts'

/** Location of a racecourse, with a link to the device's map application. */
export function OpenLocationScreen() {
  const { locale } = useIntl()
  const format = useFormat()
  const { region } = useRegion()
  const [params] = useSearchParams()
  const id = params.get('id')
  const regionId = id === null ? region?.id : (regionOfStadium(id)?.id ?? region?.id)
  const stadiums = useQuery({
    ...queryFor(
      queryStadiumByCountryRegionId,
      regionId === undefined ? null : { countryRegionId: regionId },
      locale,
    ),
    staleTime: 1_200_000,
    retry: 1,
  })
  if (stadiums.error) return <ErrorNotice error={stadiums.error} onRetry={() => void stadiums.refetch()} />
  if (!stadiums.data) return <Skeleton height={420} />
  const stadium = id === null ? stadiums.data[0] : stadiums.data.find((each) => each.id === id)
  if (!stadium || stadium.latitude === null || stadium.longitude === null)
    return (
      <Empty
        icon={MapPinOff}
        action={<LinkButton to="/pages/common/choose-location" text="title.chooseLocation" />}
        text="location.unknown"
      />
    )
  return (
    <Stack>
      <h1>{stadium.name}</h1>
      <Facts
        facts={[
          ['location.latitude', format.signedDecimal(stadium.latitude, 3)],
          ['location.longitude', format.signedDecimal(stadium.longitude, 3)],
        ]}
      />
      <StadiumMap regionId={regionId!} stadiums={[stadium]} chosen={stadium.id} />
      <LinkButton href={geoUrl(stadium.latitude, stadium.longitude, stadium.name)}>
        <MapPin aria-hidden="true" size={18} />
        <FormattedMessage id="location.device" />
      </LinkButton>
    </Stack>
  )
}
