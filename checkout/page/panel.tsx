import { useEffect, useRef, useState } from 'preact/hooks'
import type { FiatFields, Typed } from './card-fields.js'
import { FiatForm } from './fiat-form.js'
import { keptPlace } from './identity-place.js'
import { Address, AddressWait, NextStep, Paid, ReceiptMail, Said, WalletPay } from './lazy.js'
import { MethodChoice } from './method-choice.js'
import type { MethodProps } from './method-props.js'
import { PixCode } from './pix-code.js'
import { Status } from './status.js'
import { Time, useNow } from './time.js'
import type { Method, PageStatus, PageView } from './view.js'

interface PanelProps extends MethodProps {
  base: string
}

/** Where the payment stands, and what its payer can do now. */
export function Panel({ view, onView, act, base, messages }: PanelProps) {
  const { pix, address, challengeUrl } = view
  const { now, status, shown, methods, method, isOther, pick, fields, retry, setUntold } = usePanel(view)
  const panel = useShown(`${shown} ${isOther}`)
  const common = { act, messages, onView, view }
  const isOpen = shown === 'open'
  const isWaiting = shown === 'waiting'
  // What he came for, where he has not turned to another way.
  const isHeld = isWaiting && !isOther
  const isChoosing = isOpen || isOther
  const isEnded = shown === 'refused' || shown === 'expired'
  // The rest is still taken when the price has run out.
  const showsAddress = address !== null && (isHeld || (isEnded && address.received !== '0'))
  return (
    <section ref={panel} tabIndex={-1} class={`panel is-${view.back?.isWhole ? 'back' : shown}`}>
      <Status status={shown} view={view} hasChoice={isOpen && methods.length > 1} messages={messages} />
      {isOpen && !view.isClosed && method === undefined && <p>{messages.noMethods}</p>}
      {isChoosing && method !== undefined && (
        <MethodChoice methods={methods} method={method} onMethod={pick} messages={messages} />
      )}
      {status === 'expired' && view.chosen === 'address' && <p class="alert">{messages.address.sent}</p>}
      {view.hasNotes && <Said {...common} />}
      {showsAddress && <AddressWait view={view} address={address} now={now} base={base} messages={messages} />}
      {(isEnded || (challengeUrl !== null && isHeld)) && (
        <NextStep {...common} status={status} canPay={methods.length > 0} typed={fields.typed} onRetry={retry} />
      )}
      {isChoosing && (method === 'pix' || method === 'card') && <FiatForm {...common} method={method} {...fields} />}
      {isChoosing && method === 'address' && <Address {...common} />}
      {/* In one place whatever the state: a wallet that was asked answers while the state changes, and hands in what it sent. */}
      {shown !== 'refused' && method === 'wallet' && (
        <WalletPay key="wallet" {...common} now={now} shown={shown} onUntold={setUntold} />
      )}
      {isHeld && pix && <PixCode view={view} pix={pix} now={now} base={base} messages={messages} />}
      <Afterwards {...common} />
      {/* Who waits has chosen: what he came for stands first. */}
      {isHeld && methods.length > 1 && (
        <MethodChoice methods={methods.filter((name) => name !== view.chosen)} onMethod={pick} messages={messages} />
      )}
      {isOpen && (
        <p class="small">
          {messages.linkExpires.split('{time}')[0]}
          <Time at={view.linkExpiresAt} messages={messages} />
        </p>
      )}
    </section>
  )
}

/** What is left to do: to keep the receipt, and to go back to the shop. */
function Afterwards(common: MethodProps) {
  const { view, messages } = common
  return (
    <>
      {view.receipt && <Paid view={view} receipt={view.receipt} messages={messages} />}
      {view.returnUrl !== null && (
        <a
          class={view.receipt ? 'primary back' : 'button'}
          data-test="return"
          href={view.returnUrl}
          target="_top"
          rel="noreferrer"
        >
          {messages.back}
        </a>
      )}
      {view.receiptEmail !== null && <ReceiptMail {...common} />}
    </>
  )
}

/** Where the payment stands by now, which way to pay is looked at, and what was typed. */
function usePanel(view: PageView) {
  const { chosen, challengeUrl } = view
  const now = useNow(view, view.status === 'waiting' && untilOf(view) !== undefined)
  const [isUntold, setUntold] = useState(false)
  const status = statusAt(view, now, isUntold)
  const [picked, pick] = useState<Method>()
  // Before the page was loaded again he may have been proving who he is.
  useEffect(() => {
    pick((now) => now ?? keptPlace()?.method)
  }, [])
  // Of a refusal the payer reads first, and then tries again.
  const [retriedAt, setRetriedAt] = useState<string>()
  const [typed, setTyped] = useState<Typed>({})
  const canRetry = status === 'refused' || status === 'expired' || challengeUrl !== null
  const isOpen = status === 'open' || (canRetry && retriedAt === view.version)
  const methods = methodsNow(view)
  const method = [picked, chosen].find((name) => name != null && methods.includes(name)) ?? methods[0]
  const shown: PageStatus = isOpen ? 'open' : status
  const fields: FiatFields = {
    typed,
    onTyped: (name, value) => {
      setTyped((before) => ({ ...before, [name]: value }))
    },
  }
  const retry = (): void => {
    setRetriedAt(view.version)
  }
  const isOther = shown === 'waiting' && method !== chosen
  return { now, status, shown, methods, method, isOther, pick, fields, retry, setUntold }
}

/**
 * Brings the panel back into view when it shows something else: its payer may have scrolled down to the button that did it. Where that
 * button is gone, the panel has the focus: by the keyboard he goes on from there, and not from the top of the page.
 */
function useShown(what: string): { current: HTMLElement | null } {
  const panel = useRef<HTMLElement>(null)
  const before = useRef(what)
  useEffect(() => {
    if (before.current === what) return
    before.current = what
    const { current: element } = panel
    if (document.activeElement === document.body) element?.focus({ preventScroll: true })
    const top = element?.getBoundingClientRect().top ?? 0
    if (top < 0 || top > window.innerHeight / 2) element?.scrollIntoView()
  }, [what])
  return panel
}

/**
 * Where it stands by now: a code or a price that ran out is over before the server has said so. What a wallet has sent may have
 * paid in time: nobody is asked to pay again before the server has it.
 */
function statusAt(view: PageView, now: number, isUntold: boolean): PageStatus {
  const until = untilOf(view)
  const isOut = view.status === 'waiting' && until !== undefined && Date.parse(until) <= now
  const status = isOut ? 'expired' : view.status
  return status === 'expired' && view.chosen === 'wallet' && isUntold ? 'waiting' : status
}

/** Until when what was asked for can be paid; nobody waits by the clock for what a wallet has sent. */
function untilOf({ pix, address, price, isHandedIn }: PageView): string | undefined {
  return (pix ?? address ?? (isHandedIn ? null : price))?.expiresAt
}

/** While an attempt may have paid already, only the same way can be tried again. */
function methodsNow({ methods, isLocked, chosen }: PageView): readonly Method[] {
  return isLocked ? methods.filter((name) => name === chosen) : methods
}
