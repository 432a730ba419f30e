import { expect, test } from 'vitest'
import { webAddress } from '../../src/data/web-address.ts'

const BASE = 'http://127.0.0.1:4170/'
const LISTED = ['news.example.org']

test.each([
  ['./legal/terms.en.html', 'http://127.0.0.1:4170/legal/terms.en.html'],
  ['/legal/privacy.zh-Hant.html', 'http://127.0.0.1:4170/legal/privacy.zh-Hant.html'],
  ['https://news.example.org/a?b=1', 'https://news.example.org/a?b=1'],
])('opens %s', (text, address) => {
  expect(webAddress(text, BASE, LISTED)).toBe(address)
})

test.each([
  null,
  '',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:http://127.0.0.1:4170/x',
  'file:///etc/passwd',
  'http://news.example.org/',
  'https://news.example.org:8443/',
  'https://user@news.example.org/',
  'http://user:x@127.0.0.1:4170/',
  'https://evil.example/',
  'https://news.example.org.evil.example/',
  '//evil.example/',
  String.raw`\\evil.example\x`,
  'https://[',
])('does not open %s', (text) => {
  expect(webAddress(text, BASE, LISTED)).toBeNull()
})
