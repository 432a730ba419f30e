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

/** Whose share link it is: by an id that nobody can guess, and so nobody is found here. */
export const inviterRow = (status: Statuses): Row => ({
  route: 'GET /sys/api/queryInviter',
  url: `/sys/api/queryInviter?id=${NO_ID}`,
  status,
})

/** Notes are the customer's own; one on a view of somebody else, or on what there is not, cannot be written. */
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
