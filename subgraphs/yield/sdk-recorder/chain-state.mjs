/* global fetch */
import { Buffer } from 'node:buffer'
import { gzipSync } from 'node:zlib'

/** Accounts of the sandbox at one moment, and copies of them that differ in a few bytes. */
export async function readAccounts(rpcUrl, addresses) {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getMultipleAccounts',
      params: [addresses, { encoding: 'base64', commitment: 'confirmed' }],
    }),
  }).then((response) => response.json())
  return new Map(
    addresses.map((address, index) => {
      const account = answer.result.value[index]
      if (!account) throw new Error(`${address} is not on the chain`)
      const data = Buffer.from(account.data[0], 'base64')
      return [address, { owner: account.owner, lamports: account.lamports, data }]
    }),
  )
}

/** Accounts as the fixture holds them: by address, the data compressed. */
export function shown(accounts) {
  return Object.fromEntries(
    [...accounts].map(([address, { owner, lamports, data }]) => [
      address,
      { owner, lamports, gzip: gzipSync(data, { level: 9 }).toString('base64') },
    ]),
  )
}

/** An account of an instruction: its key, then `s` where it signs and `w` where it is written to. */
export function shownKey(key, isSigner, isWritable) {
  return `${key} ${isSigner ? 's' : ''}${isWritable ? 'w' : ''}`.trimEnd()
}
