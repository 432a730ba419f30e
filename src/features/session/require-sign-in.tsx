import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useToken } from '../../data/session.ts'
import { loginPath } from '../../data/login-path.ts'

/** Leads to sign-in, and back here after it. */
export function RequireSignIn({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation()
  return useToken() === null ? <Navigate to={loginPath(pathname + search)} replace /> : children
}
