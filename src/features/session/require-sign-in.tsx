import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useToken } from '../../data/client/session.ts'
import { loginPath } from '../../data/login-path.ts'

/** Redirects to sign-in, which leads back here. */
export function RequireSignIn({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation()
  return useToken() === null ? <Navigate to={loginPath(pathname + search)} replace /> : children
}
