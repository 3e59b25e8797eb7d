import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { loadAgain } from './load-again.js'
import type { Messages } from './messages/messages.js'
import type { PageView } from './view.js'

/** A telephone in a lift: what could not be loaded is asked for again. */
const RETRY_MS = 2_000

/** A component that is not in the first view's script. */
type Lazy<Props> = ComponentType<Props> & { load: () => Promise<void> }

/**
 * Loaded when it is first drawn in a browser, so that the first view stays small; drawn at once where it was loaded before.
 * @param pick the component of the module
 */
function lazy<Module, Props extends { messages: Messages }>(
  load: () => Promise<Module>,
  pick: (module: Module) => (props: Props) => ComponentChildren,
): Lazy<Props> {
  let Part: ComponentType<Props> | undefined
  const loadModule = loadAgain(load)
  const loadPart = async (): Promise<void> => {
    Part ??= pick(await loadModule())
  }
  function LazyPart(props: Props) {
    const [, setLoaded] = useState(false)
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const begin = (): void => {
        loadPart().then(
          () => {
            setLoaded(true)
          },
          () => {
            timer = setTimeout(begin, RETRY_MS)
          },
        )
      }
      if (!Part) begin()
      return () => {
        clearTimeout(timer)
      }
    }, [])
    return Part ? <Part {...props} /> : <p class="loading">{props.messages.working}</p>
  }
  return Object.assign(LazyPart, { load: loadPart })
}

const loadAddress = () => import('./address-panel.js')
// Of three: with another part more the build takes Preact out of the first script, which waits for two files then.
const loadReceipt = () => import('./receipt.js')

export const CardPay = lazy(
  () => import('./card-panel.js'),
  (part) => part.CardPanel,
)
export const WalletPay = lazy(
  () => import('./wallet-panel.js'),
  (part) => part.WalletPanel,
)
export const Identity = lazy(
  () => import('./identity-panel.js'),
  (part) => part.IdentityPanel,
)
export const ReceiptMail = lazy(
  () => import('./receipt-email.js'),
  (part) => part.ReceiptEmail,
)
export const NextStep = lazy(
  () => import('./next-step.js'),
  (part) => part.NextStep,
)
export const Paid = lazy(loadReceipt, (part) => part.Receipt)
export const Address = lazy(loadAddress, (part) => part.AddressForm)
export const AddressWait = lazy(loadAddress, (part) => part.AddressCode)
export const Terms = lazy(loadReceipt, (part) => part.Terms)
export const Said = lazy(loadReceipt, (part) => part.Said)

/** Loads what the server draws though it is not in the first script, so that it is drawn alike by both. */
export async function loadDrawn({
  status,
  methods,
  hasTerms,
}: Pick<PageView, 'status' | 'methods' | 'hasTerms'>): Promise<void> {
  if (status === 'open' && methods[0] !== 'address' && !hasTerms) return
  await Promise.all([Address, AddressWait, Said, Terms, NextStep, Paid].map(({ load }) => load()))
}
