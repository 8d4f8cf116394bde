# Frontdesk without a database: DATABASE_URL names one. See compose.yaml.
FROM node:24-bookworm-slim AS bundle
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY bin ./bin
COPY src ./src
COPY migrations ./migrations
COPY docs ./docs
COPY sdk ./sdk
COPY web ./web
RUN node bin/build.ts

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Development tools and the embedded PostgreSQL stay out.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production FRONTDESK_HOST=0.0.0.0 FRONTDESK_PORT=8080 UV_THREADPOOL_SIZE=64 \
  MALLOC_ARENA_MAX=2
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=bundle /app/dist ./dist
COPY package.json ./
COPY web ./web
COPY config ./config
# The user of the image that is not root; only the folder of files belongs to it.
RUN mkdir -p /var/lib/frontdesk/files && chown node:node /var/lib/frontdesk/files
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
# The worker listens nowhere: compose.yaml switches this off for it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "require(process.env.FRONTDESK_TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: process.env.FRONTDESK_PORT, path: '/readyz', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# As bin/frontdesk starts it.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "--initial-old-space-size=64", "--expose-gc", "dist/frontdesk.js"]
CMD ["serve"]
