import type { Row, Statuses } from './access-table.ts'

const NO_ID = '00000000-0000-7000-8000-000000000000'

/** Fields of a note on a horse, and of a search for it. */
export const noteOn = (horseId: string) => ({
  content: 'A note\nof two lines',
  subject: 'horse',
  subjectId: horseId,
  horseId,
  viewId: '00000000-0000-7000-8000-000000000000',
  text: 'note',
})

/** The owner of a share link: ids cannot be guessed, so none is found here. */
export const inviterRow = (status: Statuses): Row => ({
  route: 'GET /sys/api/queryInviter',
  url: `/sys/api/queryInviter?id=${NO_ID}`,
  status,
})

/** Notes belong to the customer; a note on another customer's view, or on something that does not exist, is refused. */
export const noteRows = (customer: Statuses, notTheirs: Statuses): Row[] => [
  {
    route: 'GET /sys/api/customer/notes',
    url: '/sys/api/customer/notes?countryRegionId=100000&text=pace',
    status: customer,
  },
  {
    route: 'POST /sys/api/customer/notes',
    body: { countryRegionId: '100000', subject: 'view', subjectId: NO_ID, content: 'a note' },
    status: notTheirs,
  },
  {
    route: 'POST /sys/api/customer/changeNote',
    body: { id: NO_ID, content: 'another text' },
    status: customer,
  },
  {
    route: 'DELETE /sys/api/customer/notes',
    url: `/sys/api/customer/notes?id=${NO_ID}`,
    status: customer,
  },
]
