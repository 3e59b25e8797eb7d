import { setNonce } from 'get-nonce'

/** What the document's policy asks of style elements. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

// The kit's dialogs lock the page's scrolling through a package that has a place of its own for it.
setNonce(styleNonce)

/** Whether payments here move no money. */
export const isSandbox = document.querySelector<HTMLMetaElement>('meta[name="sandbox"]')?.content === 'yes'

/** The page of the simulators, in the sandbox. */
export const SANDBOX = '/sandbox'
