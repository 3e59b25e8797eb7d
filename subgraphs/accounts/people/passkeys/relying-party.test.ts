import { expect, it } from 'vitest'
import { relyingPartyOf } from './relying-party.js'

it.each([
  ['https://pay.example.com', 'pay.example.com', 'https://pay.example.com'],
  ['https://pay.example.com:8443/base', 'pay.example.com', 'https://pay.example.com:8443'],
  ['http://localhost:4000', 'localhost', 'http://localhost:4000'],
  ['http://127.0.0.1:4000', 'localhost', 'http://localhost:4000'],
  ['http://[::1]:4000/', 'localhost', 'http://localhost:4000'],
])('has passkeys at %s belong to %s', (publicUrl, id, origin) => {
  expect(relyingPartyOf(publicUrl)).toEqual({ id, origin })
})
