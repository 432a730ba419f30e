import type pg from 'pg'

export interface DescribedColumn {
  name: string
  /** PostgreSQL's number of the type. */
  type: number
}

/** The parts of pg's connection that a prepared statement needs. */
interface Connection {
  parse(query: { name: string; text: string; types: number[] }): void
  describe(of: { type: 'S'; name: string }): void
  sync(): void
}

/** Lets PostgreSQL prepare a statement without running it. Returns its columns; throws what is wrong with it. */
export const describeStatement = (client: pg.Client, sql: string): Promise<DescribedColumn[]> =>
  new Promise((resolve, reject) => {
    let columns: DescribedColumn[] = []
    let failure: Error | null = null
    client.query({
      submit: (connection: Connection) => {
        connection.parse({ name: '', text: sql, types: [] })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
      },
      handleRowDescription: ({ fields }: { fields: { name: string; dataTypeID: number }[] }) => {
        columns = fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }))
      },
      handleError: (error: Error) => {
        failure = error
        reject(error)
      },
      handleReadyForQuery: () => {
        if (failure === null) resolve(columns)
      },
    } as unknown as pg.Submittable)
  })
