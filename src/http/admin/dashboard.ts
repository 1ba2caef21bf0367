import { asset } from '../../package-root.js'
import { html } from '../../text/html.js'
import { externalPolicy } from '../page-layout.js'
import { pathOf } from '../sandbox-of.js'
import type { Resource } from './resource.js'

const PAGE = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>countersign</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="dashboard.css">
<script type="module" src="dashboard.js"></script>
</head>
<body><noscript>The dashboard needs JavaScript; the admin API does not.</noscript></body>
</html>
`.text

export const dashboard: Resource = (routes) => {
  routes.get('/', (request, reply) => {
    // The page's links are relative to the address with the slash.
    if (!pathOf(request.url).endsWith('/')) return reply.redirect('__admin/')
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': externalPolicy(),
        'cache-control': 'no-cache',
      })
      .send(PAGE)
  })
  for (const [name, type] of Object.entries(ASSETS)) {
    routes.get(`/${name}`, (_, reply) =>
      reply
        .headers({
          'content-type': `${type}; charset=utf-8`,
          'cache-control': 'no-cache',
          'x-content-type-options': 'nosniff',
        })
        .send(asset(name)),
    )
  }
}

const ASSETS: Readonly<Record<string, string>> = {
  'dashboard.js': 'text/javascript',
  'dashboard.css': 'text/css',
  'docs.js': 'text/javascript',
  'docs.css': 'text/css',
}
