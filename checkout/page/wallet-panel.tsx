import { useEffect, useState } from 'preact/hooks'
import { Alert } from './fields.js'
import { chainText, fill } from './text.js'
import { Countdown } from './time.js'
import type { PageStatus } from './view.js'
import { AppLinks, PhoneCode } from './wallets/app-links.js'
import { Price, Where } from './wallets/choice.js'
import { discover, type Wallet } from './wallets/discover.js'
import type { HandInProps } from './wallets/use-hand-in.js'
import { useWalletPay } from './wallets/use-wallet-pay.js'

interface WalletProps extends HandInProps {
  /** The product's time, in milliseconds. */
  now: number
  /** Where the page says that the payment stands: where its time has run out, nothing but what was sent before is handed in. */
  shown: PageStatus
}

/** Wallets of this browser, what they would pay, and where. */
export function WalletPanel({ now, shown, ...props }: WalletProps) {
  const { view, messages } = props
  const { chains, isHandedIn } = view
  // Of an attempt that has ended it is not the price any more.
  const price = shown === 'waiting' ? view.price : null
  const [wallets, setWallets] = useState<readonly Wallet[]>([])
  const [where, setWhere] = useState({ chain: chains[0]?.name ?? '', token: chains[0]?.tokens[0] ?? '' })
  const { step, problem, canAsk, isSilent, pay } = useWalletPay(props, where)
  const { wallet: texts } = messages
  const chain = chains.find(({ name }) => name === where.chain)
  const family = chain?.family
  const isPriced = chain?.isOwn === true && chain.tokens[0] === where.token
  const ownToken = chains.find(({ name }) => name === view.solanaChain)?.tokens[0]
  const usable = wallets.filter((wallet) => wallet.family === family)
  useEffect(() => {
    const families = [...new Set(chains.map((chain) => chain.family))]
    return discover(families, (found) => {
      setWallets((known) => (known.some(({ id }) => id === found.id) ? known : [...known, found]))
    })
  }, [])
  if (shown === 'expired') return null
  if (isHandedIn) return <p class="intro">{texts.waiting}</p>
  const said = step === undefined ? (usable.length > 0 ? texts.intro : texts.none) : texts[isSilent ? 'silent' : step]
  return (
    <div>
      {price && isPriced && <Price price={price} chain={where.chain} messages={messages} />}
      {price && step !== 'waiting' && <Countdown until={price.expiresAt} now={now} messages={messages} />}
      {step === undefined && <Where chains={chains} where={where} onWhere={setWhere} messages={messages} />}
      <p class="intro" role="status">
        {fill(said, { chain: chainText(where.chain) })}
      </p>
      {step === undefined && usable.length === 0 && family && <AppLinks families={[family]} messages={messages} />}
      <Alert text={problem} />
      {usable.map((wallet) => (
        <button
          key={wallet.id}
          class="primary wallet"
          type="button"
          data-test="pay"
          disabled={!canAsk}
          onClick={() => {
            void pay(wallet)
          }}
        >
          {wallet.icon !== undefined && <img src={wallet.icon} alt="" width="26" height="26" />}
          <span>{step === undefined || !canAsk ? fill(texts.connect, { wallet: wallet.name }) : texts.again}</span>
        </button>
      ))}
      {step === undefined && where.chain === view.solanaChain && where.token === ownToken && (
        <PhoneCode messages={messages} />
      )}
    </div>
  )
}
