const LOGIN = '/pages/login/login'

/** Address of the sign-in screen that leads back to `target`, a path within the site. */
export const loginPath = (target: string): string => `${LOGIN}?${new URLSearchParams({ back: target })}`

/** Where to after sign-in: only a path of our own, else the personal centre. */
export const backPath = (back: string | null): string =>
  back !== null && /^\/(?!\/)/.test(back) && !back.startsWith('/pages/login/') ? back : '/pages/user/fypeople'
