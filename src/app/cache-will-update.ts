/**
 * The response if the service worker may store it: the server marks what belongs to one customer, and refusals, with
 * `no-store`. The function is written into the service worker, so it uses nothing from outside.
 */
export const cacheWillUpdate = async ({ response }: { response: Response }): Promise<Response | null> =>
  response.status === 200 && !(response.headers.get('cache-control') ?? '').includes('no-store')
    ? response
    : null
