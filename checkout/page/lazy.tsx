import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { MethodProps } from './method-props.js'

/** Loaded when it is first drawn in a browser, so that the first view stays small. */
function lazy(load: () => Promise<ComponentType<MethodProps>>): ComponentType<MethodProps> {
  return function Lazy(props: MethodProps) {
    const [loaded, setLoaded] = useState<{ Part: ComponentType<MethodProps> }>()
    useEffect(() => {
      void load().then((Part) => {
        setLoaded({ Part })
      })
    }, [])
    return loaded ? <loaded.Part {...props} /> : <p class="loading">{props.messages.working}</p>
  }
}

export const CardPay = lazy(async () => (await import('./card-panel.js')).CardPanel)
export const WalletPay = lazy(async () => (await import('./wallet-panel.js')).WalletPanel)
