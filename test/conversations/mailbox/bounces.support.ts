const CRLF = (text: string): string => text.replaceAll('\n', '\r\n');

/** Original bounces of mail servers for one of our mails. */

export const postfix = (messageId: string, { action = 'failed', status = '5.1.1' } = {}): string =>
  CRLF(`Return-Path: <>
Received: by mx.example.com (Postfix)
	id 4C1F2A0B3D; Sat, 21 Nov 2026 10:00:00 +0000 (UTC)
Date: Sat, 21 Nov 2026 10:00:00 +0000 (UTC)
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: hello@harbour.example
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="9A2B1C0D3E.1700000000/mx.example.com"
Message-Id: <20261121100000.4C1F2A0B3D@mx.example.com>

This is a MIME-encapsulated message.

--9A2B1C0D3E.1700000000/mx.example.com
Content-Description: Notification
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

This is the mail system at host mx.example.com.

<ada@example.com>: host mail.example.com[192.0.2.1] said: 550 ${status}
    <ada@example.com>: Recipient address rejected: User unknown (in reply to RCPT TO command)

--9A2B1C0D3E.1700000000/mx.example.com
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com
X-Postfix-Queue-ID: 4C1F2A0B3D
X-Postfix-Sender: rfc822; hello@harbour.example
Arrival-Date: Sat, 21 Nov 2026 09:59:59 +0000 (UTC)

Final-Recipient: rfc822; ada@example.com
Original-Recipient: rfc822;ada@example.com
Action: ${action}
Status: ${status}
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; 550 ${status} <ada@example.com>: Recipient address
    rejected: User unknown

--9A2B1C0D3E.1700000000/mx.example.com
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers
Content-Transfer-Encoding: 8bit

Return-Path: <hello@harbour.example>
From: "Harbour" <hello@harbour.example>
To: ada@example.com
Subject: Your visit
Message-ID: ${messageId}
Date: Sat, 21 Nov 2026 09:59:58 +0000

--9A2B1C0D3E.1700000000/mx.example.com--
`);

/** The status is unspecific; the diagnostic code has the reason. */
export const exim = (messageId: string, diagnosis = '550 5.1.1 No such user here'): string =>
  CRLF(`Return-path: <>
Envelope-to: hello@harbour.example
X-Failed-Recipients: ada@example.com
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@host.example.net>
To: hello@harbour.example
References: ${messageId}
Content-Type: multipart/report; report-type=delivery-status; boundary=1700000000-eximdsn-1804289383
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1r5abc-0001Xy-2B@host.example.net>
Date: Sat, 21 Nov 2026 10:00:00 +0000

--1700000000-eximdsn-1804289383
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

  ada@example.com
    host mail.example.com [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<ada@example.com>:
    ${diagnosis}

--1700000000-eximdsn-1804289383
Content-type: message/delivery-status

Reporting-MTA: dns; host.example.net

Action: failed
Final-Recipient: rfc822;ada@example.com
Status: 5.0.0
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; ${diagnosis}

--1700000000-eximdsn-1804289383
Content-type: message/rfc822

Return-path: <hello@harbour.example>
From: "Harbour" <hello@harbour.example>
To: ada@example.com
Subject: Your visit
Message-ID: ${messageId}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

See you on Tuesday

--1700000000-eximdsn-1804289383--
`);

/** Without a report: the text contains the reason and the mail. */
export const oldExim = (messageId: string): string =>
  CRLF(`Return-path: <>
X-Failed-Recipients: ada@example.com
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@host.example.net>
To: hello@harbour.example
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1q1abc-0001Xy-7Z@host.example.net>

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ada@example.com
    SMTP error from remote mail server after RCPT TO:<ada@example.com>:
    host mail.example.com [192.0.2.1]: 550 5.1.1 <ada@example.com>: User unknown

------ This is a copy of the message, including all the headers. ------

From: "Harbour" <hello@harbour.example>
To: ada@example.com
Subject: Your visit
Message-ID: ${messageId}

See you on Tuesday
`);
