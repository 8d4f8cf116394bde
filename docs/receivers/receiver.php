<?php
// WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php     (PHP 8)
declare(strict_types=1);

const TOLERANCE_MS = 5 * 60 * 1000;

$secret = (string) getenv('WEBHOOK_SECRET');
if ($secret === '') {
    error_log('WEBHOOK_SECRET is not set');
    http_response_code(500);
    exit;
}

$body = (string) file_get_contents('php://input');
if (!is_genuine($secret, $body)) {
    http_response_code(401);
    exit;
}
keep($_SERVER['HTTP_X_WEBHOOK_EVENT_ID'] ?? '', $body);
http_response_code(204);

/** $body is the bytes as they came: JSON parsed and written again has other bytes. */
function is_genuine(string $secret, string $body): bool
{
    $timestamp = $_SERVER['HTTP_X_WEBHOOK_TIMESTAMP'] ?? '';
    $given = $_SERVER['HTTP_X_WEBHOOK_SIGNATURE_V2'] ?? '';
    $expected = 'sha256=' . hash_hmac('sha256', $timestamp . '.' . $body, $secret);
    $age = abs(microtime(true) * 1000 - (float) $timestamp);
    return hash_equals($expected, $given) && $age <= TOLERANCE_MS;
}

/** Put it into a queue or table here, once per event id, and do the work later. */
function keep(string $eventId, string $body): void
{
    error_log($eventId . ' ' . json_decode($body)->event);
}
