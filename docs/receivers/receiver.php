<?php
// WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php     (PHP 8)
// During a rotation: WEBHOOK_SECRET=whsec_new,whsec_old
declare(strict_types=1);

const TOLERANCE_SECONDS = 5 * 60;

$secrets = explode(',', (string) getenv('WEBHOOK_SECRET'));
if (in_array('', $secrets, true)) {
    error_log('WEBHOOK_SECRET is not set');
    http_response_code(500);
    exit;
}

$body = (string) file_get_contents('php://input');
if (!is_genuine($secrets, $body)) {
    http_response_code(401);
    exit;
}
try {
    keep($_SERVER['HTTP_WEBHOOK_ID'], $body);
    http_response_code(204);
} catch (Throwable $error) {
    error_log($error->getMessage());
    // The event is delivered again later.
    http_response_code(500);
}

/** $body is the bytes as they came: JSON parsed and written again has other bytes. */
function is_genuine(array $secrets, string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $given = array_slice(explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? ''), 0, 2);
    // X-Webhook-Event-Id is not signed: a changed one would make a repeat look new.
    $isSame = ($_SERVER['HTTP_X_WEBHOOK_EVENT_ID'] ?? $id) === $id;
    if (!$isSame || abs(microtime(true) - (float) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $digest = hash_hmac('sha256', $id . '.' . $timestamp . '.' . $body, $key, true);
        foreach ($given as $one) {
            if ($key !== '' && hash_equals('v1,' . base64_encode($digest), $one)) {
                return true;
            }
        }
    }
    return false;
}

/** Put it into a queue or table here, once per event id, and do the work later. */
function keep(string $eventId, string $body): void
{
    $event = json_decode($body, flags: JSON_THROW_ON_ERROR)->event;
    error_log($eventId . ' ' . $event);
}
