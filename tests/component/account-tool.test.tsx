import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AccountTool } from '../../src/features/session/account-tool.tsx'
import { renderPart } from './render.tsx'

test.for([390, 1280])('a visitor can sign in and register from the header, %i pixels wide', async (width) => {
  await renderPart(<AccountTool />, { width })
  const links = screen.getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '#/pages/login/login',
    '#/pages/login/fyregister',
  ])
  expect(links.map((link) => link.getAttribute('aria-label') ?? link.textContent)).toEqual([
    'Sign in',
    'Register',
  ])
})
