/** The languages of the payment page. */
export type Language = 'en' | 'pt'

/** The page's texts in one language. */
export interface Messages {
  title: string
  receivers: string
  quoted: string
  howToPay: string
  expires: string
  quoteExpires: string
  quoteExpired: string
  items: string
  pixTitle: string
  pixPicture: string
  pixCode: string
  pixExpires: string
  pixExpired: string
  refresh: string
  methods: Readonly<Record<string, string>>
  states: Readonly<Record<string, { title: string; text: string }>>
  notFound: { title: string; text: string }
  unavailable: { title: string; text: string }
}

export const MESSAGES: Readonly<Record<Language, Messages>> = {
  en: {
    title: 'Payment',
    receivers: 'The receiver gets',
    quoted: 'Amount in crypto',
    howToPay: 'Ways to pay',
    expires: 'This link is good until',
    quoteExpires: 'The price holds until',
    quoteExpired: 'The price ran out at',
    items: 'What is paid for',
    pixTitle: 'Pay with Pix',
    pixPicture: 'QR code of the Pix',
    pixCode: 'Scan the QR code with your bank’s app, or copy this code there:',
    pixExpires: 'The Pix can be paid until',
    pixExpired: 'The time for this Pix has run out. Start again where you got this link.',
    refresh: 'Look again',
    methods: {
      crypto: 'Crypto wallet',
      pixcrypto: 'Pix',
      cardcrypto: 'Card',
      cardfiat: 'Card',
      cryptofiat: 'Crypto wallet',
      cryptopix: 'Crypto wallet',
    },
    states: {
      registered: { title: 'Waiting for payment', text: 'Pay where you got this link.' },
      pending: { title: 'Payment in progress', text: 'It is not confirmed yet.' },
      success: { title: 'Paid', text: 'Thank you. There is nothing left to do.' },
      error: { title: 'Payment failed', text: 'It was not completed. It can be tried again where you got this link.' },
      reproved: { title: 'Payment refused', text: 'Another way to pay can be tried where you got this link.' },
    },
    notFound: {
      title: 'This link does not work',
      text: 'It has expired or is not complete. Ask whoever gave it to you for a new one.',
    },
    unavailable: {
      title: 'The payment cannot be shown right now',
      text: 'Nothing has happened to it. Try again in a minute.',
    },
  },
  pt: {
    title: 'Pagamento',
    receivers: 'O recebedor recebe',
    quoted: 'Valor em cripto',
    howToPay: 'Formas de pagamento',
    expires: 'Este link vale até',
    quoteExpires: 'O preço vale até',
    quoteExpired: 'O preço venceu em',
    items: 'O que está sendo pago',
    pixTitle: 'Pague com Pix',
    pixPicture: 'QR code do Pix',
    pixCode: 'Leia o QR code com o aplicativo do seu banco ou copie este código nele:',
    pixExpires: 'O Pix pode ser pago até',
    pixExpired: 'O prazo deste Pix terminou. Comece de novo onde você recebeu este link.',
    refresh: 'Atualizar',
    methods: {
      crypto: 'Carteira cripto',
      pixcrypto: 'Pix',
      cardcrypto: 'Cartão',
      cardfiat: 'Cartão',
      cryptofiat: 'Carteira cripto',
      cryptopix: 'Carteira cripto',
    },
    states: {
      registered: { title: 'Aguardando pagamento', text: 'Pague onde você recebeu este link.' },
      pending: { title: 'Pagamento em andamento', text: 'Ainda não foi confirmado.' },
      success: { title: 'Pago', text: 'Obrigado. Não há mais nada a fazer.' },
      error: {
        title: 'O pagamento falhou',
        text: 'Não foi concluído. Tente novamente onde você recebeu este link.',
      },
      reproved: {
        title: 'Pagamento recusado',
        text: 'Tente outra forma de pagamento onde você recebeu este link.',
      },
    },
    notFound: {
      title: 'Este link não funciona',
      text: 'Ele expirou ou está incompleto. Peça um novo a quem o enviou.',
    },
    unavailable: {
      title: 'Não é possível mostrar o pagamento agora',
      text: 'Nada aconteceu com ele. Tente de novo em um minuto.',
    },
  },
}

/**
 * The language that a browser likes best of those we have, by `Accept-Language` (RFC 9110, 12.5.4); English where it
 * likes none of them.
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', quality = 'q=1'] = range
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      return { language: tag.split('-')[0], quality: Number(quality.replace(/^q=/, '')) || 0 }
    })
    .filter(({ language, quality }) => quality > 0 && (language === 'en' || language === 'pt'))
    .sort((one, other) => other.quality - one.quality)
  return wanted[0]?.language === 'pt' ? 'pt' : 'en'
}
