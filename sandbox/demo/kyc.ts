import { ed25519 } from '@noble/curves/ed25519.js'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import bs58 from 'bs58'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, type Demo, type DemoContext } from './demo.js'

/** A person is verified: by e-mail with the code out of the mailbox, and by a wallet of each family. */
export const kycDemos: readonly Demo[] = [
  { title: 'A person verifies their identity by e-mail', run: verifyByEmail },
  {
    title: 'The owner of an EVM wallet verifies their identity',
    run: (context) => {
      const account = privateKeyToAccount(generatePrivateKey())
      return verifyByWallet(context, account.address, (message) => account.signMessage({ message }))
    },
  },
  {
    title: 'The owner of a Solana wallet verifies their identity',
    run: (context) => {
      const { secretKey, publicKey } = ed25519.keygen()
      const sign = (message: string): Promise<string> =>
        Promise.resolve(bs58.encode(ed25519.sign(Buffer.from(message), secretKey)))
      return verifyByWallet(context, bs58.encode(publicKey), sign)
    },
  },
]

async function verifyByEmail(context: DemoContext): Promise<void> {
  await verifyEmail(context, `ana-${Date.now()}@example.com`)
}

/** Prepares, proves and approves the owner of an e-mail address, unless that was done before. */
export async function verifyEmail(context: DemoContext, email: string): Promise<void> {
  const { call, say, sandbox } = context
  const { kyc_approved: isApproved } = await call('POST', '/kyc/prepare', { email })
  if (isApproved === true) return
  await call('POST', '/security/email/send-otp', { email })
  const answer = await fetch(`${sandbox.mailbox_url}?to=${encodeURIComponent(email)}`)
  const mails = (await answer.json()) as { text: string }[]
  const code = /\b\d{6}\b/.exec(mails.at(-1)?.text ?? '')?.[0]
  expect(code !== undefined, 'no code came by e-mail')
  await call('POST', '/security/email/verify-otp', { email, code })
  say(`${email} is proved by the code in ${sandbox.mailbox_url}`)
  await approve(context, { email })
}

async function verifyByWallet(
  context: DemoContext,
  wallet: string,
  sign: (message: string) => Promise<string>,
): Promise<void> {
  const { message } = await context.call('POST', '/security/wallet/challenge', { wallet })
  await context.call('POST', '/kyc/prepare-wallet', { message, signed_bytes: await sign(String(message)) })
  context.say(`${wallet} is proved by its signature`)
  await approve(context, { wallet })
}

async function approve(
  { call, say, sandbox }: DemoContext,
  who: { email: string } | { wallet: string },
): Promise<void> {
  const { session } = await call('POST', '/kyc/create/verify_public_kyc', who)
  const { session_id: id, session_url: url } = session as { session_id: string; session_url: string }
  say(`the person would now open ${url}`)
  await fetch(`${sandbox.kyc_url}/sandbox/session/${id}/decide`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'Approved' }),
  })
  const query = new URLSearchParams(who).toString()
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { approved } = await call('GET', `/kyc/status?${query}`)
    if (approved === true) {
      say('approved')
      return
    }
    await delay(100)
  }
  expect(false, 'the approval did not arrive')
}
