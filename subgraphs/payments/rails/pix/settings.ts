/**
 * How one payment service provider offers the API Pix. Providers differ in base path, token path and body, and in an
 * extra key: these are settings, so that a change of provider is no change of code.
 */
export interface PixSettings {
  /** With the provider's base path, e.g. `https://pix.example.com/v2`. */
  baseUrl: string
  /** Where tokens are had; another base than the API's where it is an absolute URL. */
  tokenPath: string
  /** The form of the token request's body; the client's id and secret always come as HTTP Basic. */
  tokenBody: 'json' | 'form'
  clientId: string
  clientSecret: string
  /** Sent with a `form` body where set. */
  scope: string | undefined
  /** An application key that goes with every call as a query parameter, e.g. `gw-dev-app-key`. */
  appKey: { name: string; value: string } | undefined
  /** The Pix key (DICT) that receives. */
  key: string
  receiverName: string
  receiverCity: string
  /** PEM texts; without them the connection is plain TLS, as sandboxes are. */
  mutualTls: { cert: string; key: string; ca: string | undefined } | undefined
}
