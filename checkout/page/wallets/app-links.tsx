import type { Messages } from '../messages/messages.js'
import { QrCode } from '../qr-code.js'
import { fill } from '../text.js'

/**
 * Opens this page in the browser of a wallet's app, where the wallet is found: telephones have no extensions. MetaMask wants the
 * address as it is, Phantom wants it encoded; neither is told what stands in its query (docs.metamask.io "use deeplinks", docs.phantom.com "browse").
 */
export function AppLinks({ families, messages }: { families: readonly string[]; messages: Messages }) {
  const { host, pathname, origin } = location
  const [page, ref] = [origin + pathname, origin].map(encodeURIComponent)
  const phantom = `https://phantom.app/ul/browse/${page}?ref=${ref}`
  const links: readonly (readonly [string, string])[] = [
    ...(families.includes('evm') ? [['MetaMask', `https://link.metamask.io/dapp/${host}${pathname}`] as const] : []),
    ...(families.includes('solana') ? [['Phantom', phantom] as const] : []),
  ]
  return (
    <>
      {links.map(([name, link]) => (
        <a key={name} class="button" href={link} rel="noreferrer">
          {fill(messages.wallet.openIn, { wallet: name })}
        </a>
      ))}
    </>
  )
}

/** Pays with a wallet's app, here or on another device: Solana Pay. The payment is found also when this page is closed. */
export function PhoneCode({ messages }: { messages: Messages }) {
  const { origin, pathname } = location
  return (
    <div class="pix phone">
      <p class="intro">{messages.wallet.phone}</p>
      <QrCode name="solana-qr" src={`${pathname}/qr.svg?code=solana`} alt={messages.wallet.phoneQr} />
      <a class="button" data-test="solana-link" href={`solana:${origin}${pathname}/solana`} rel="noreferrer">
        {messages.address.app}
      </a>
    </div>
  )
}
